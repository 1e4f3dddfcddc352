import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CONFIG_FILE } from '../kit/index'
import { type Sandbox, sandboxCommand } from './sandbox-command'

const PROBE_TIMEOUT_MS = 10_000

export type SandboxSearch = { readonly sandbox: Sandbox } | { readonly sandbox: undefined; readonly why: string }

/**
 * Returns a sandbox that can run a program on this machine, or the reason why there is none: a container or a hardened
 * kernel may forbid sandboxes.
 */
export async function findSandbox(
  scratch: string,
  paths: { readonly readOnlyPaths: readonly string[]; readonly hiddenPaths: readonly string[] },
): Promise<SandboxSearch> {
  if (process.platform !== 'linux') return { sandbox: undefined, why: `bubblewrap is not for ${process.platform}` }
  const bwrap = onSystemPath('bwrap')
  if (bwrap === undefined) return { sandbox: undefined, why: 'bubblewrap (bwrap) is not installed' }
  const asRoot = process.getuid?.() === 0
  let why = ''
  for (const setpriv of new Set(asRoot ? [onSystemPath('setpriv'), undefined] : [undefined])) {
    const sandbox = { bwrap, setpriv, ...paths }
    const failure = await tryOut(sandbox, scratch)
    if (failure === undefined) return { sandbox }
    why = failure
  }
  return { sandbox: undefined, why: `bubblewrap does not work here (${why})` }
}

/**
 * Runs a shell in the sandbox, with the whole command line of a server. Returns bubblewrap's error; undefined when
 * there was no error.
 */
async function tryOut(sandbox: Sandbox, scratch: string): Promise<string | undefined> {
  let folder: string | undefined
  try {
    folder = await mkdtemp(join(scratch, 'probe-'))
    await chmod(folder, 0o755)
    const config = join(folder, CONFIG_FILE)
    await writeFile(config, '{}', { mode: 0o444 })
    const command = sandboxCommand(sandbox, { program: folder, config, home: folder })
    // This test has no file descriptor 3, so bubblewrap's report goes to the output of the test, which is ignored.
    command[command.indexOf('--json-status-fd') + 1] = '1'
    const [bwrap, ...args] = command as [string, ...string[]]
    const shell = ['/bin/sh', '-c', `read -r first < ${CONFIG_FILE}; test -d "$PWD"`]
    await promisify(execFile)(bwrap, [...args, ...shell], { timeout: PROBE_TIMEOUT_MS })
    return undefined
  } catch (error) {
    const lines = error instanceof Error ? error.message.split('\n') : []
    return lines.find((line) => line.startsWith('bwrap:')) ?? lines[0] ?? String(error)
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

function onSystemPath(name: string): string | undefined {
  return ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin']
    .map((folder) => join(folder, name))
    .find(existsSync)
}
