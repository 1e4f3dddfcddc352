import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fileBuildStore } from '@matchyard/build-store/fs'
import { systemClock } from '@matchyard/node'
import { processOrchestrator } from '@matchyard/orchestrator/process'
import { type Check, fail, ok, oncePerPatient, type Patient, warn } from './check'

const NOT_HERE = ok('no game servers are run as processes here')
const runsServers = ({ config }: Patient) => config.orchestrator === 'process'

/** Returns the limitations that the orchestrator finds on this machine, in a temporary folder. */
const limitationsHere = oncePerPatient(async ({ config: { certificate } }): Promise<readonly string[]> => {
  const scratch = await mkdtemp(join(tmpdir(), 'matchyard-doctor-'))
  const orchestrator = processOrchestrator({
    dataDirectory: join(scratch, 'servers'),
    buildStore: fileBuildStore({ directory: join(scratch, 'builds') }),
    installationId: 'doctor',
    clock: systemClock(),
    hiddenPaths: [scratch],
    ...(certificate === undefined ? {} : { certificate }),
  })
  try {
    await orchestrator.open()
    return orchestrator.capabilities.limitations
  } finally {
    await orchestrator.close()
    await rm(scratch, { recursive: true, force: true })
  }
})

const isolation: Check = {
  name: 'isolation',
  mend: 'see docs/security.md, "Game servers", for what each of these means and how to close it',
  async look(patient) {
    if (!runsServers(patient)) return NOT_HERE
    const limitations = await limitationsHere(patient)
    const gaps = limitations.filter((limitation) => NOT_ISOLATED.test(limitation))
    if (patient.config.registration === 'open' && gaps.length > 0)
      return fail(`${OPEN_TO_ALL} ${gaps.join(' ')}`, CLOSE)
    return limitations.length === 0 ? ok('game servers are isolated') : warn(limitations.join(' '))
  },
}

/**
 * Limitations by which every uploader of a build gets access to the machine. The other limitations only concern bounds
 * of resources.
 */
const NOT_ISOLATED = /^Game servers (are not isolated|run as root)/
const OPEN_TO_ALL = 'Registration is open, so everybody who can reach the service can run programs on this machine.'
const CLOSE = 'leave REGISTRATION unset, or install bubblewrap (in a container, allow user namespaces)'

const bubblewrap: Check = {
  name: 'bubblewrap',
  mend: 'sudo apt-get install bubblewrap; in a container, allow user namespaces',
  async look(patient) {
    if (!runsServers(patient)) return NOT_HERE
    try {
      const { stdout } = await promisify(execFile)('bwrap', ['--version'], { timeout: 5_000 })
      await promisify(execFile)('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', 'true'], { timeout: 5_000 })
      return ok(`${stdout.trim()} works`)
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      return warn(missing ? 'bubblewrap is not installed' : 'bubblewrap does not work here: namespaces are forbidden')
    }
  },
}

/** Limitations by which TLS of game servers can be avoided, or its key can be read. */
const ROUND_TLS = /without TLS|key of the certificate/

const aroundTls: Check = {
  name: 'inner-ports',
  mend: 'close the inner ports in the firewall, and keep the key where only the service can read it (docs/security.md)',
  async look(patient) {
    if (!runsServers(patient) || patient.config.certificate === undefined)
      return ok('no game server listens behind TLS of this machine')
    const gaps = (await limitationsHere(patient)).filter((limitation) => ROUND_TLS.test(limitation))
    return gaps.length === 0 ? ok('other hosts reach game servers with TLS ports only by TLS') : warn(gaps.join(' '))
  },
}

const cgroups: Check = {
  name: 'cgroups',
  mend: 'give the service a delegated cgroup (systemd: Delegate=yes)',
  async look(patient) {
    if (!runsServers(patient)) return NOT_HERE
    const missing = (await limitationsHere(patient)).filter((limitation) => limitation.includes('cgroup'))
    return missing.length === 0 ? ok('memory, CPU and processes of game servers are limited') : warn(missing.join(' '))
  },
}

export const ISOLATION_CHECKS: readonly Check[] = [isolation, bubblewrap, cgroups, aroundTls]
