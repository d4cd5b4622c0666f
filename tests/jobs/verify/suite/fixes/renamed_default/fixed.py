from marshmallow import Schema, fields


class Product(Schema):
    name = fields.Str(required=True)
    stock = fields.Int(load_default=0)


def load(data):
    return Product().load(data)
