/** Content of a stream. */
export interface StreamWords {
  /** Called with each event and its raw data. */
  event(name: string, data: string): void
  /** Called with the milliseconds to wait before a reconnect. */
  retry(milliseconds: number): void
}

/** Maximum characters of an incomplete event; a lobby has at most a quarter of that. */
const LONGEST_EVENT = 1_048_576

/** Error for a stream that is not the service's: buffering such an event to its end could use all memory. */
export const TOO_LONG = new Error('an event of a stream is over 1 MB')

/**
 * Returns a parser of an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html) in pieces of any
 * size. The parser throws `TOO_LONG`.
 */
export function eventParser({ event, retry }: StreamWords): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder()
  let text = ''
  let name = ''
  let data: string[] = []
  let held = 0
  const take = (line: string) => {
    if (line === '') {
      if (data.length > 0) event(name, data.join('\n'))
      name = ''
      data = []
      held = 0
      return
    }
    held += line.length
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') name = value
    else if (field === 'data') data.push(value)
    else if (field === 'retry' && /^\d+$/.test(value)) retry(Number(value))
  }
  return (bytes) => {
    text += decoder.decode(bytes, { stream: true })
    // A carriage return at the end may be half of a line break.
    const lines = text.split(/\r\n|\n|\r(?!$)/)
    text = lines.pop() ?? ''
    for (const line of lines) take(line)
    if (held + text.length > LONGEST_EVENT) throw TOO_LONG
  }
}
