import type { ServerCrash } from '@matchyard/client/admin'
import { Card, Clock, Text } from '../../ui'
import { LogRow } from './log-row'

/** Last crash of a server, with the last lines that the server wrote before it. */
export function CrashCard({ crash }: { readonly crash: ServerCrash }) {
  return (
    <Card title="Last crash" flush actions={<Clock at={crash.at} />}>
      <p class="crash-how">
        <Text>{howOf(crash)}</Text>
      </p>
      <div class="log">
        {crash.lines.map((line, index) => (
          <LogRow key={`${index} ${line.timestamp}`} line={line} />
        ))}
        {crash.lines.length === 0 && <p class="quiet">The log had no lines, or could not be read.</p>}
      </div>
    </Card>
  )
}

function howOf({ exit_code, exit_signal }: ServerCrash): string {
  if (exit_signal !== null) return `Ended by ${exit_signal}`
  return exit_code === null ? 'The exit code is unknown' : `Exit code ${exit_code}`
}
