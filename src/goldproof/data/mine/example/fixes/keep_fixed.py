from larder.spoiling import parse_keep

never = parse_keep("forever")
