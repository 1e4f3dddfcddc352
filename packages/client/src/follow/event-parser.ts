/** Callbacks that receive the content of an event stream. */
export interface StreamWords {
  /** Called with each event, its raw data and its id. The id is empty for an event without one. */
  event(name: string, data: string, id: string): void
  /** Called with the milliseconds to wait before a reconnect. */
  retry(milliseconds: number): void
}

/** Maximum number of characters of an incomplete event. The JSON of a lobby has at most a quarter as many. */
const LONGEST_EVENT = 1_048_576

/**
 * Error for an event that is too long to come from the service. Waiting for the end of such an event could use all
 * memory.
 */
export const TOO_LONG = new Error('an event of a stream is too long')

/**
 * Returns a parser of an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). The caller
 * passes the stream in pieces of any size. The parser throws `TOO_LONG` for an event of more than `longest` characters.
 */
export function eventParser({ event, retry }: StreamWords, longest = LONGEST_EVENT): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder()
  let text = ''
  let name = ''
  let id = ''
  let data: string[] = []
  let held = 0
  const take = (line: string) => {
    if (line === '') {
      if (data.length > 0) event(name, data.join('\n'), id)
      name = id = ''
      data = []
      held = 0
      return
    }
    held += line.length
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') name = value
    else if (field === 'id') id = value
    else if (field === 'data') data.push(value)
    else if (field === 'retry' && /^\d+$/.test(value)) retry(Number(value))
  }
  return (bytes) => {
    text += decoder.decode(bytes, { stream: true })
    // A carriage return at the end of a piece may be the first half of a line break.
    const lines = text.split(/\r\n|\n|\r(?!$)/)
    text = lines.pop() ?? ''
    for (const line of lines) take(line)
    if (held + text.length > longest) throw TOO_LONG
  }
}
