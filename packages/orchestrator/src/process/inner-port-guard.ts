import { spawn } from 'node:child_process'
import type { PortRange } from '../kit/index'

const TIMEOUT_MS = 5_000
/** The most characters that are kept of the words of `nft`. */
const MAX_WORDS = 1_024

/** Table of the firewall that holds the rule of these ports; `nft delete table inet <name>` removes it. */
export const guardTable = ({ from, to }: PortRange): string => `matchyard_${from}_${to}`

/**
 * Returns commands of nftables after which hosts other than this machine cannot reach the ports; repeating them changes
 * nothing. Only the first packet of a connection is dropped, because answers to connections of this machine may come to
 * such a port too.
 */
export const guardRules = (range: PortRange): string => {
  const chain = `inet ${guardTable(range)} input`
  return [
    `add table inet ${guardTable(range)}`,
    `add chain ${chain} { type filter hook input priority filter - 5; policy accept; }`,
    `flush chain ${chain}`,
    `add rule ${chain} iifname != "lo" tcp dport ${range.from}-${range.to} tcp flags & (syn | ack) == syn drop`,
    '',
  ].join('\n')
}

/**
 * Closes the inner ports for hosts other than this machine, by a rule of nftables. Returns the reason when this is not possible, for
 * instance without the rights for it; undefined when the ports are closed.
 */
export function guardInnerPorts(range: PortRange): Promise<string | undefined> {
  return new Promise((resolve) => {
    const nft = spawn('nft', ['-f', '-'], {
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: TIMEOUT_MS,
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
    })
    let words = ''
    nft.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(0, MAX_WORDS)
    })
    nft.stdin.on('error', () => {}) // the program has ended, which `close` reports
    nft.on('error', (error) => resolve(`nft cannot be run: ${error.message}`))
    nft.on('close', (code) => {
      if (code === 0) return resolve(undefined)
      resolve(
        words
          .split('\n')
          .find((line) => /\S/.test(line))
          ?.trim() ?? `nft ended with ${code}`,
      )
    })
    nft.stdin.end(guardRules(range))
  })
}
