/** Maximum characters of one event. The largest calls have 256 KiB. */
const MAX_EVENT = 1024 * 1024

/** Thrown when a stream is not one of Server-Sent Events with events of a bearable size. */
export class NoEventStream extends Error {
  override readonly name = 'NoEventStream'
}

/** Reads Server-Sent Events from the parts of a text. Comments, ids and waits are left out. */
export class EventReader {
  private rest = ''
  private event = ''
  private data: string[] = []
  private length = 0

  constructor(private readonly onEvent: (event: string, data: string) => void) {}

  /** Takes the next part of the text. Throws NoEventStream when an event is too large. */
  feed(part: string): void {
    const lines = (this.rest + part).split('\n')
    this.rest = lines.pop() ?? ''
    for (const line of lines) this.take(line.endsWith('\r') ? line.slice(0, -1) : line)
    if (this.rest.length + this.length > MAX_EVENT)
      throw new NoEventStream(`an event has more than ${MAX_EVENT} characters`)
  }

  private take(line: string): void {
    if (line === '') this.end()
    if (line.startsWith('event:')) this.event = line.slice('event:'.length).trimStart()
    if (!line.startsWith('data:')) return
    const data = line.slice('data:'.length).trimStart()
    // Each line counts, because empty lines without end would fill the memory too.
    this.length += data.length + 1
    if (this.length > MAX_EVENT) throw new NoEventStream(`an event has more than ${MAX_EVENT} characters`)
    this.data.push(data)
  }

  private end(): void {
    const { event, data } = this
    this.event = ''
    this.data = []
    this.length = 0
    if (data.length > 0) this.onEvent(event, data.join('\n'))
  }
}
