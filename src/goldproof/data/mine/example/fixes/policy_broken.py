class Smallest:
    def choose(self, entries):
        return min(entries, key=lambda key: len(entries[key]))
