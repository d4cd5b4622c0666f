from larder.errors import SpoiledError
from larder.pantry import open_pantry

with open_pantry("kitchen") as pantry:
    try:
        soup = pantry.shelf("soups").get("minestrone", strict=True)
    except SpoiledError as error:
        soup = error.remains
