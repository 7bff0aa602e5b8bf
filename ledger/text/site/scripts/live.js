/** What others record at this table, as it is recorded; the browser itself connects anew when the line is lost. */

const AGAIN_MS = 5_000;

/** `heard` is called for each entry, `opened` when the cards of a deal may be seen, `back` when a line stands again. */
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
