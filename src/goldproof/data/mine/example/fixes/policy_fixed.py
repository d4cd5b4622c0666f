from larder.rotation import FirstOut


class Smallest(FirstOut):
    def victim(self, entries):
        return min(entries, key=lambda key: len(entries[key]))
