"""Code that the questions about pydantic show."""

# --8<-- [start:extra]
from pydantic import BaseModel


class User(BaseModel):
    name: str


print(User(name="Ada", nickname="Countess").model_dump())
# --8<-- [end:extra]
