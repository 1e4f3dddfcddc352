/** Content of a stream. */
export interface StreamWords {
  /** An event, with its data as it came. */
  event(name: string, data: string): void
  /** How long to wait before coming back, in milliseconds. */
  retry(milliseconds: number): void
}

/** Characters of an event that has not come to its end: a lobby has a quarter of that at the most. */
const LONGEST_EVENT = 1_048_576

/** Error for a stream that is not the service's: buffering such an event to its end could use all memory. */
export const TOO_LONG = new Error('an event of a stream is over 1 MB')

/** Takes an event stream apart (https://html.spec.whatwg.org/multipage/server-sent-events.html), wherever its pieces were cut. Throws `TOO_LONG`. */
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
    // A carriage return at the end may be half of a line's end.
    const lines = text.split(/\r\n|\n|\r(?!$)/)
    text = lines.pop() ?? ''
    for (const line of lines) take(line)
    if (held + text.length > LONGEST_EVENT) throw TOO_LONG
  }
}
