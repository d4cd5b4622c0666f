"""Schemas that the marshmallow questions are about."""

# --8<-- [start:unknown]
from marshmallow import Schema, fields


class UserSchema(Schema):
    name = fields.Str(required=True)
    age = fields.Int()


UserSchema().load({"name": "Ada", "email": "ada@example.com"})
# --8<-- [end:unknown]

# --8<-- [start:coerce]
from marshmallow import Schema, fields


class UserSchema(Schema):
    name = fields.Str(required=True)
    age = fields.Int()


print(UserSchema().load({"name": "Ada", "age": "36"}))
# --8<-- [end:coerce]

# --8<-- [start:validator]
from marshmallow import fields

small = fields.Int(validate=lambda number: number < 10)
print(small.deserialize(30))
# --8<-- [end:validator]

# --8<-- [start:empty_string]
from marshmallow import fields

fields.Str(required=True).deserialize("")
# --8<-- [end:empty_string]

# --8<-- [start:title]
from marshmallow import Schema, fields


class Post(Schema):
    title = fields.Str(validate=validate.Length(min=3))


errors = Post().validate({"title": "Hi"})
print(errors)
# --8<-- [end:title]

# --8<-- [start:misspelt]
from marshmallow import Schema, fields, validate


class Post(Schema):
    title = fields.Str(validate=validate.Lenght(max=5))


print(Post().validate({"title": "A long one"}))
# --8<-- [end:misspelt]

# --8<-- [start:adult]
from marshmallow import Schema, fields, validate


class Customer(Schema):
    age = fields.Int(validate=validate.Range(min=18))


Customer().load({"age": 12})
# --8<-- [end:adult]

# --8<-- [start:validate_ok]
from marshmallow import Schema, fields


class Tag(Schema):
    label = fields.Str(required=True)


print(Tag().validate({"label": "news"}))
# --8<-- [end:validate_ok]

# --8<-- [start:yes]
from marshmallow import fields

print(fields.Boolean().deserialize("yes"))
# --8<-- [end:yes]

# --8<-- [start:registry]
from marshmallow import class_registry

class_registry.get_class("BookSchema")
# --8<-- [end:registry]

# --8<-- [start:exclude]
from marshmallow import RAISE, Schema, fields


class Person(Schema):
    class Meta:
        unknown = RAISE

    name = fields.Str()


print(Person().load({"name": "Ada", "born": 1815}))
# --8<-- [end:exclude]

# --8<-- [start:ordered]
from marshmallow import Schema, fields


class Point(Schema):
    class Meta:
        ordered = True

    x = fields.Int()
    y = fields.Int()


print(type(Point().dump({"x": 1, "y": 2})).__name__)
# --8<-- [end:ordered]
