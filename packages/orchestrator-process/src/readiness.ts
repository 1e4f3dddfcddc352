import { knock } from '@matchyard/orchestrator-kit'
import type { LaunchRecord } from './attempt-records'

/** `host` is where players connect, perhaps an address outside this machine: the near ones are tried first. */
export async function accepts({ host, port }: LaunchRecord['tcpPorts'][number]): Promise<boolean> {
  for (const address of new Set(['127.0.0.1', '::1', host])) {
    if ((await knock(address, port)) === 'accepts') return true
  }
  return false
}
