import type { ServerLogLine } from '@matchyard/core/ports'
import type { ContainerState } from '../kube/shapes'

type Terminated = NonNullable<ContainerState['terminated']>

/**
 * Each line with its time before it; what has none is no line of the server's, but a sentence of its node's (that there is no log any more, or the half
 * of a first line). The platform's log does not tell one stream from the other.
 */
export const linesOf = (text: string): ServerLogLine[] =>
  text.split('\n').flatMap((line) => {
    const space = line.indexOf(' ')
    const at = Date.parse(line.slice(0, space))
    return Number.isNaN(at) ? [] : [{ at, stream: 'stdout' as const, message: line.slice(space + 1) }]
  })

/** What a pod keeps of a crash: the end of its log without its times, so all of it at the time of its end. */
export const lastWordsOf = ({ message = '', finishedAt = '' }: Terminated): ServerLogLine[] => {
  const at = Date.parse(finishedAt)
  if (Number.isNaN(at)) return []
  const lines = message.split('\n').filter((line) => line !== '')
  return lines.map((line) => ({ at, stream: 'stdout' as const, message: line }))
}
