import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { type Credentials, openArena } from '@matchyard/example-arena'
import { renderUnicodeCompact } from 'uqr'

/** The port is equal at every start, so that an open window finds the page again. */
const PORT = 8_090
const LOOPBACK = '127.0.0.1'

/**
 * Serves the arena until Ctrl-C, and opens it in a browser when a user sits at a terminal. If the service is at an
 * address of this machine on the network (`matchyard dev --lan`), the page is served there too.
 */
export async function showArena(credentials: Credentials): Promise<void> {
  const host = hostOfPage(credentials)
  const arena = await openArena(credentials, { port: PORT, host }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    return openArena(credentials, { host })
  })
  if (host !== LOOPBACK && process.stdout.isTTY) console.log(`${qrCode(arena.url)}\n`)
  console.log(`  Shardfall, a game for two to eight, is at ${arena.url}\n`)
  console.log('  Open it in two windows, or send the link of your lobby to a friend. Ctrl-C ends it.')
  console.log('  A match that plays itself, step by step: npm run demo -- --script')
  if (process.stdout.isTTY) openInBrowser(arena.url)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await arena.close()
}

/** Returns the address at which the page is served: the service's, if this machine has it, and otherwise loopback. */
function hostOfPage({ base_url }: Credentials): string {
  const host = new URL(base_url).hostname.replace(/^\[|\]$/g, '')
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return own.some(({ address }) => address === host) ? host : LOOPBACK
}

/** Returns a QR code in white on black, with the quiet zone of four modules that the standard requires. */
const qrCode = (text: string): string =>
  renderUnicodeCompact(text, { border: 4 })
    .split('\n')
    // The lower half of the last line is outside the code, which has an odd number of rows. It is white too.
    .map((line, index, all) => (index === all.length - 1 ? line.replaceAll('▀', '█') : line))
    .map((line) => `  \u001b[38;5;231;48;5;16m${line}\u001b[0m`)
    .join('\n')

/** Tries to open a browser; the terminal shows the address in any case. */
function openInBrowser(url: string): void {
  const [command, ...args] = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }[process.platform as string] ?? [
    'xdg-open',
  ]
  spawn(command ?? 'xdg-open', [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
