import type { Readable } from 'node:stream'
import type { LogOutlet } from '../service/log-outlet'

/** Maximum characters without a line end, longer than any line of this service. Longer text is cut into lines. */
const MAX_LINE_CHARS = 256 * 1024

/**
 * Passes on the lines of other processes, each line as a whole, because the lines of several processes that write to
 * one pipe would mix. If a killed process leaves an incomplete last line, it is passed on as a line.
 */
export function relayLines(from: Readable, to: Pick<LogOutlet, 'write'>): void {
  let rest = ''
  from.setEncoding('utf8')
  from.on('data', (chunk: string) => {
    rest += chunk
    const end = rest.lastIndexOf('\n') + 1
    for (const line of rest.slice(0, end).split(/(?<=\n)/)) if (line !== '') to.write(line)
    rest = rest.slice(end)
    if (rest.length > MAX_LINE_CHARS) endLine()
  })
  const endLine = () => {
    if (rest !== '') to.write(`${rest}\n`)
    rest = ''
  }
  from.once('close', endLine)
  from.on('error', () => {})
}
