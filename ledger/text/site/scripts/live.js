/** Follow what others record at this table; the browser itself reconnects after a lost connection. */

const AGAIN_MS = 5_000;

/** `heard`: called for each entry. `opened`: the cards of a deal may be seen. `back`: the connection is back. */
export function listen(table, { heard, opened, back }) {
  let source = null;
  let last = "";
  const connect = () => {
    const after = last === "" ? "" : `&after=${last}`;
    source = new EventSource(`/api/v1/live?streams=table/${table}${after}`);
    source.addEventListener("open", () => back());
    source.addEventListener("entry", (event) => {
      last = event.lastEventId;
      heard(JSON.parse(event.data));
    });
    source.addEventListener("opened", (event) => opened(JSON.parse(event.data)));
    source.addEventListener("reset", () => {
      last = "";
      back();
    });
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, AGAIN_MS);
    });
  };
  connect();
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => event.persisted && connect());
}
