import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** Chromium runs without its sandbox, because tests may run as root, and without background requests to the network. */
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
]

/** Returns the path of an installed Chromium; undefined when this machine has no Chromium. */
export function findBrowser(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

export const startBrowser = (executablePath: string, flags: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...FLAGS, ...flags] })

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
