/** What a stream says. */
export interface StreamWords {
  /** An event, with its data as it came. */
  event(name: string, data: string): void
  /** How long to wait before coming back, in milliseconds. */
  retry(milliseconds: number): void
}

/** Takes an event stream apart (https://html.spec.whatwg.org/multipage/server-sent-events.html), wherever its pieces were cut. */
export function eventParser({ event, retry }: StreamWords): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder()
  let text = ''
  let name = ''
  let data: string[] = []
  const take = (line: string) => {
    if (line === '') {
      if (data.length > 0) event(name, data.join('\n'))
      name = ''
      data = []
      return
    }
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
  }
}
