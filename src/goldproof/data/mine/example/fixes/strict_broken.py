from larder import open_pantry

with open_pantry("kitchen") as pantry:
    try:
        soup = pantry.shelf("soups").get("minestrone", strict=True)
    except TimeoutError as error:
        soup = error.value
