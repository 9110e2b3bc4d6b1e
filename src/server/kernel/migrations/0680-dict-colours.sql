-- The screen of dictionaries offered colours by words that nothing drew; they are the colours those words meant.
set local role crm_system;
update dict_item set color = named.colour
from (values ('blue', '#1677ff'), ('green', '#00b578'), ('orange', '#ff8f1f'), ('red', '#ff3141'), ('violet', '#8a38f5'),
  ('teal', '#13c2c2'), ('gray', '#999999')) as named (word, colour)
where dict_item.color = named.word;
reset role;
