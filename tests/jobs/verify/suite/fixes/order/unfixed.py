from marshmallow import Schema, fields


class Order(Schema):
    number = fields.Int(required=True)
    placed = fields.DateTime(format="%d.%m.%Y")


def load(data):
    return Order().load(data)
