import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { normalize } from 'node:path'
import type { LaunchSpec } from '@matchyard/core/ports'
import type { Surroundings } from '../kit/index'
import { gameEnvironment } from './game-environment'
import { type Sandbox, seesInSandbox } from './sandbox-command'

/**
 * Returns the data with which the program of a game server is checked: its PATH, and the files of the machine that are
 * visible to it.
 */
export const surroundingsOf = (spec: LaunchSpec, sandbox: Sandbox | undefined): Surroundings => ({
  path: gameEnvironment(spec, { installationId: '', configFile: '', home: '', inner: new Map() }).PATH ?? '',
  architecture: process.arch,
  async runs(named) {
    const file = normalize(named)
    if (!file.startsWith('/') || (sandbox !== undefined && !seesInSandbox(sandbox, file))) return false
    return access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
  },
  absent: 'not there',
  pathName: 'the PATH',
})
