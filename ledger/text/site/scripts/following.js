// Follow the events of a table, or of all streams, and reconnect after a lost connection.

const AGAIN_MS = 3_000;

// `stream`: its name, empty for all. `heard(entry)`: called for each entry after the position `after`. `opened()`: hidden cards may be read now.
// `lost(isLost)`: the connection is lost or back. Returns a function that ends it.
export function follow(stream, after, { heard, opened, lost }) {
  let position = after;
  let source = null;
  let timer = 0;

  const begin = () => {
    source = new EventSource(`/api/v1/live?${stream && `streams=${stream}&`}after=${position}`);
    source.addEventListener("open", () => lost(false));
    source.addEventListener("entry", (event) => {
      position = Number(event.lastEventId);
      heard(JSON.parse(event.data).event);
    });
    source.addEventListener("head", (event) => {
      position = Number(event.lastEventId);
    });
    source.addEventListener("opened", () => opened());
    source.addEventListener("reset", () => location.reload());
    source.addEventListener("error", () => {
      lost(true);
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(timer);
      timer = setTimeout(begin, AGAIN_MS);
    });
  };

  begin();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
