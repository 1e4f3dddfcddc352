import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Credentials, openArena } from '@matchyard/example-arena'

/** The port is equal at every start, so that an open window finds the page again. */
const PORT = 8_090

/** Serves the arena until Ctrl-C, and opens it in a browser when a user sits at a terminal. */
export async function showArena(credentials: Credentials): Promise<void> {
  const arena = await openArena(credentials, { port: PORT }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    return openArena(credentials)
  })
  console.log(`  Shardfall, a game for two to eight, is at ${arena.url}\n`)
  console.log('  Open it in two windows, or send the link of your lobby to a friend. Ctrl-C ends it.')
  console.log('  A match that plays itself, step by step: npm run demo -- --script')
  if (process.stdout.isTTY) openInBrowser(arena.url)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await arena.close()
}

/** Tries to open a browser; the terminal shows the address in any case. */
function openInBrowser(url: string): void {
  const [command, ...args] = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }[process.platform as string] ?? [
    'xdg-open',
  ]
  spawn(command ?? 'xdg-open', [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
