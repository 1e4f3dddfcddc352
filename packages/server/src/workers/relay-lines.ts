import type { Readable } from 'node:stream'
import type { LogOutlet } from '../service/log-outlet'

/** Longer than any line of ours: what never ends its line is cut here. */
const MAX_LINE_CHARS = 256 * 1024

/**
 * Hands on whole lines: several processes that wrote to one pipe by themselves would write into each other's. What a process that
 * was killed left of a line is a line.
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
