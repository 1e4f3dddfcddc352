import { connect } from 'node:net'
import type { Clock, Instant } from '@matchyard/core'
import type { LaunchRecord } from './attempt-files'

const UDP_ONLY_UP_MS = 1_000
const CONNECT_TIMEOUT_MS = 500

/** Every TCP port accepts, or, where there is none, the server has stayed up for a second (contract §8). */
export async function isReady(record: LaunchRecord, startedAt: Instant, clock: Clock): Promise<boolean> {
  if (record.tcpPorts.length === 0) return clock.now() - startedAt >= UDP_ONLY_UP_MS
  const accepting = await Promise.all(record.tcpPorts.map(({ host, port }) => accepts(host, port)))
  return accepting.every(Boolean)
}

/** `host` is where players connect, perhaps an address outside this machine: the near ones are tried first. */
async function accepts(host: string, port: number): Promise<boolean> {
  for (const address of new Set(['127.0.0.1', '::1', host])) if (await connects(address, port)) return true
  return false
}

function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const done = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => done(false))
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
  })
}
