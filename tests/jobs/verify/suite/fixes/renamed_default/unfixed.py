from marshmallow import Schema, fields


class Product(Schema):
    name = fields.Str(required=True)
    stock = fields.Int(missing=0)


def load(data):
    return Product().load(data)
