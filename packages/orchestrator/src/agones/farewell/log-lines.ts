import type { ServerLogLine } from '@matchyard/core/ports'
import type { ContainerState } from '../kube/shapes'

type Terminated = NonNullable<ContainerState['terminated']>

/**
 * Returns the lines of a log, each with the time at its beginning. A line without a time is not a line of the server:
 * it is a message of the node (the log no longer exists), or the rest of a cut first line. The platform's log does not
 * separate stdout from stderr.
 */
export const linesOf = (text: string): ServerLogLine[] =>
  text.split('\n').flatMap((line) => {
    const space = line.indexOf(' ')
    const at = Date.parse(line.slice(0, space))
    return Number.isNaN(at) ? [] : [{ at, stream: 'stdout' as const, message: line.slice(space + 1) }]
  })

/**
 * Returns the last log lines of a crashed server from the pod's status. These lines have no times, so all of them get
 * the time of the exit.
 */
export const lastWordsOf = ({ message = '', finishedAt = '' }: Terminated): ServerLogLine[] => {
  const at = Date.parse(finishedAt)
  if (Number.isNaN(at)) return []
  const lines = message.split('\n').filter((line) => line !== '')
  return lines.map((line) => ({ at, stream: 'stdout' as const, message: line }))
}
