import type { ServerLogLine } from '@matchyard/core/ports'
import type { Container } from 'dockerode'
import { askingUnless } from './engine'

const HEADER = 8
const STDERR = 2

/** The newest `limit` lines of a container, oldest first; none when it is gone. */
export async function containerLogs(container: Container, limit: number): Promise<ServerLogLine[]> {
  if (limit <= 0) return []
  const options = { follow: false, stdout: true, stderr: true, timestamps: true, tail: limit } as const
  const answer = await askingUnless(container.logs(options), 404, 409)
  return answer === undefined ? [] : linesOf(answer).slice(-limit)
}

/**
 * Reads the engine's framed log: one frame per entry, each with its time before it. An entry without an end of line is
 * the first part of a long line, and what follows of the same stream goes on with it.
 */
export function linesOf(framed: Buffer): ServerLogLine[] {
  const lines: ServerLogLine[] = []
  const open: { stdout?: ServerLogLine; stderr?: ServerLogLine } = {}
  for (let at = 0; at + HEADER <= framed.length; ) {
    const stream = framed[at] === STDERR ? 'stderr' : 'stdout'
    const end = at + HEADER + framed.readUInt32BE(at + 4)
    const text = framed.toString('utf8', at + HEADER, end)
    const space = text.indexOf(' ')
    const body = text.slice(space + 1)
    const message = body.endsWith('\n') ? body.slice(0, -1) : body
    const begun = open[stream]
    const line: ServerLogLine =
      begun === undefined ? { at: Date.parse(text.slice(0, space)), stream, message } : extended(begun, message)
    if (body.endsWith('\n')) delete open[stream]
    else open[stream] = line
    if (begun === undefined) lines.push(line)
    else lines[lines.indexOf(begun)] = line
    at = end
  }
  return lines.sort((a, b) => a.at - b.at) // stable: lines of one instant keep their order
}

const extended = (line: ServerLogLine, more: string): ServerLogLine => ({ ...line, message: line.message + more })
