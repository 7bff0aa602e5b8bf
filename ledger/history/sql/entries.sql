-- Loads entries of the log from lines of text (see `SqliteBulkReader.lines`).
INSERT INTO entries BY NAME
SELECT
  log_position,
  stream,
  CASE WHEN starts_with(stream, 'table/') THEN stream[7:] END AS table_name,
  version,
  recorded_at,
  CASE WHEN contains(recorded_by, '\') THEN recorded_by::JSON ->> '$' ELSE recorded_by[2:-2] END AS recorded_by,
  happened_at,
  event ->> 'type' AS type,
  event
FROM read_csv(
  $files,
  delim = E'\x1f',
  quote = '',
  escape = '',
  header = false,
  auto_detect = false,
  max_line_size = $longest,
  columns = {
    'log_position': 'BIGINT',
    'stream': 'VARCHAR',
    'version': 'INTEGER',
    'recorded_at': 'TIMESTAMP',
    'recorded_by': 'VARCHAR',
    'happened_at': 'TIMESTAMP',
    'event': 'JSON'
  }
);
