import type { ServerLogLine } from '@matchyard/core/ports'
import type { Container } from 'dockerode'
import { askingUnless } from './engine'

const HEADER = 8
const STDERR = 2

/** Returns the newest `limit` log lines of a container, oldest first; no lines when the container is gone. */
export async function containerLogs(container: Container, limit: number): Promise<ServerLogLine[]> {
  if (limit <= 0) return []
  const options = { follow: false, stdout: true, stderr: true, timestamps: true, tail: limit } as const
  const answer = await askingUnless(container.logs(options), 404, 409)
  return answer === undefined ? [] : linesOf(answer).slice(-limit)
}

/**
 * Returns the lines of an engine's log, which consists of frames. Each frame contains one entry that begins with its
 * time. An entry without a line feed is the first part of a long line; the next entry of the same stream continues that
 * line.
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
  return lines.sort((a, b) => a.at - b.at) // the sort is stable: lines with equal times keep their order
}

const extended = (line: ServerLogLine, more: string): ServerLogLine => ({ ...line, message: line.message + more })
