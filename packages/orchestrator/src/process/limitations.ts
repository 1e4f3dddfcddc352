import type { Certificate } from '../kit/certificate'
import type { PortRange } from '../kit/index'
import { type CgroupSupport, missingControllers } from './cgroups'
import { IS_LINUX } from './proc'
import type { SandboxSearch } from './sandbox'
import { seesInSandbox } from './sandbox-command'

const CONSEQUENCE = {
  memory: 'The memory of game servers is not limited: no writable cgroup with the memory controller.',
  cpu: 'The CPU time of game servers is not limited: no writable cgroup with the cpu controller.',
  pids: 'The number of processes of a game server is not limited: no writable cgroup with the pids controller.',
} as const

/** Limitation of a machine on which the service cannot find out which process has bound a port. */
export const UNSEEN =
  'UDP ports of game servers are not observed here: one that has stayed up for a second is taken as ready (readiness "uptime").'

/** Returns one sentence for each protection that this machine does not enforce. */
export function limitationsOf(search: SandboxSearch, cgroups: CgroupSupport): string[] {
  return [
    ...isolationGaps(search),
    ...missingControllers(cgroups).map((controller) => CONSEQUENCE[controller]),
    ...(IS_LINUX ? [] : ['Stray game servers are not found: this system has no /proc.', UNSEEN]),
    'Game servers share the network of this machine.',
    'The disk space of a game server is not limited.',
  ]
}

/** Certificate of a machine, and how well its inner ports and its key are guarded. */
export interface CertificateGuard {
  readonly certificate: Certificate
  readonly innerPorts: PortRange
  /** Why hosts other than this machine can reach the inner ports; undefined when they cannot. */
  readonly openBecause: string | undefined
}

/** Returns one sentence for each way round the TLS of this machine. */
export function certificateGaps(
  { certificate, innerPorts: { from, to }, openBecause }: CertificateGuard,
  search: SandboxSearch,
): string[] {
  const canRead = search.sandbox === undefined || seesInSandbox(search.sandbox, certificate.keyFile)
  return [
    ...(openBecause === undefined
      ? []
      : [
          `Other hosts can reach the ports ${from} to ${to}, on which game servers listen behind TLS, without TLS (${openBecause}). ` +
            'Close these ports in the firewall of this machine.',
        ]),
    ...(canRead ? [`Game servers can read the key of the certificate, ${certificate.keyFile}.`] : []),
  ]
}

function isolationGaps(search: SandboxSearch): string[] {
  const asRoot = process.getuid?.() === 0
  if (search.sandbox !== undefined) {
    return asRoot && search.sandbox.setpriv === undefined
      ? ['Game servers run as root, without its capabilities: setpriv is not there to change the user.']
      : []
  }
  return [
    `Game servers are not isolated from this machine: ${search.why}.`,
    '/svc cannot be mounted: each launch gets its own copy of the build, and finds its configuration by SVC_CONFIG_FILE.',
    'A game server could change its own configuration file and copy of the build, and read what the service can read.',
    'A process that a game server detaches, and whose environment it clears, may outlive it.',
    ...(asRoot ? ['Game servers run as root, as the service does.'] : []),
  ]
}
