// Runs the tests that look for optional programs on a machine without them: without a container engine, PostgreSQL and
// bubblewrap, and as another user than root where possible. The tests that were skipped are listed at the end.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { build } from '../packages/tooling/src/build.mjs'
import { environment, install, root, run } from '../packages/tooling/src/workspace.mjs'

const OUT_OF_REACH = [
  ...['bwrap', 'dockerd', 'containerd', 'docker', 'postgres', 'initdb', 'pg_ctl', 'psql'],
  ...['chromium', 'ip', 'nft', 'mono', 'mcs', 'godot3-server', 'python3', 'cc', 'g++'],
  ...['nginx', 'pgbouncer', 'helm', 'promtool', 'prometheus', 'curl', 'openssl', 'deno', 'bun'],
]
/** Fixed folders in which the tests or the service look for programs, besides PATH. */
const FIXED = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin']
const DEBIAN_POSTGRES = '/usr/lib/postgresql'
const NOBODY = 65534

const CONCERNED = [
  'packages/tooling/test/arena.e2e.test.ts',
  'packages/tooling/test/arena-tls.e2e.test.ts',
  'packages/tooling/test/client/browser.e2e.test.ts',
  'packages/tooling/test/console',
  'packages/tooling/test/documents/pages.e2e.test.ts',
  'packages/tooling/test/documents/readme.test.ts',
  'packages/tooling/test/documents/self-hosting.e2e.test.ts',
  'packages/tooling/test/documents/cookbook.e2e.test.ts',
  'packages/tooling/test/documents/machines.e2e.test.ts',
  'packages/tooling/test/engines/cpp.e2e.test.ts',
  'packages/tooling/test/engines/godot-regions.e2e.test.ts',
  'packages/tooling/test/engines/godot-waits.e2e.test.ts',
  'packages/tooling/test/engines/godot.e2e.test.ts',
  'packages/tooling/test/engines/unity.e2e.test.ts',
  'packages/tooling/test/game-servers-guide.e2e.test.ts',
  'packages/tooling/test/lan.e2e.test.ts',
  'packages/tooling/test/compose',
  'packages/tooling/test/helm',
  'packages/tooling/test/bundle.int.test.ts',
  'packages/tooling/test/many-nodes/operator.e2e.test.ts',
  'packages/tooling/test/many-nodes/pooler.e2e.test.ts',
  'packages/tooling/test/many-nodes/rolling-update.e2e.test.ts',
  'packages/http/test/samples.int.test.ts',
  'packages/node/test/join-tokens.test.ts',
  'packages/orchestrator/test/agones/client-certificates.int.test.ts',
  'packages/orchestrator/test/process/isolation.int.test.ts',
  'packages/orchestrator/test/process/launch-failures.int.test.ts',
  'packages/orchestrator/test/process/limits.int.test.ts',
  'packages/orchestrator/test/process/supervisor.int.test.ts',
  'packages/orchestrator/test/tls/inner-port-guard.int.test.ts',
  'packages/orchestrator/test/docker',
  'packages/server/test/agent/agent-docker.int.test.ts',
  'packages/storage-sqlite/test/full-disk.int.test.ts',
  'packages/storage-postgres/test/smoke.test.ts',
  'packages/storage-postgres/test/pooler.int.test.ts',
  'packages/storage-postgres/test/signals.int.test.ts',
]

install()
// Some tests start the service as a user does, so the whole run has a finished build.
await build({ fast: false })
const scratch = mkdtempSync(join(tmpdir(), 'matchyard-without-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
const { DOCKER_HOST, DATABASE_URL, MATCHYARD_TEST_POSTGRES_BIN, ...env } = environment()
const isRoot = process.getuid?.() === 0
const isNobody = isRoot && nobodyCanTest()
const home = join(scratch, 'home')
mkdirSync(home)
chmodSync(scratch, 0o755)
if (isNobody) chownSync(home, NOBODY, NOBODY)

const vitest = ['vitest', 'run', '--configLoader', 'runner', '--config', 'vitest.workspace.ts', ...CONCERNED]
const asNobody = isNobody
  ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--no-new-privs', '--']
  : []
const [command, ...args] = [...hiding(), ...asNobody, ...vitest]
run(command, args, { env: { ...env, HOME: home, PATH: pathWithout() } })

/** Returns a folder with links to every program except the optional ones. */
function pathWithout() {
  const folder = join(scratch, 'bin')
  mkdirSync(folder)
  const own = join(root, 'node_modules', '.bin') // these look for what they run beside themselves
  for (const from of (env.PATH ?? '').split(delimiter).filter((path) => path !== own && existsSync(path))) {
    for (const name of readdirSync(from)) {
      if (OUT_OF_REACH.includes(name) || existsSync(join(folder, name))) continue
      try {
        symlinkSync(join(from, name), join(folder, name))
      } catch {} // a dangling link of the same name
    }
  }
  return [own, folder].join(delimiter)
}

/** Hides programs at fixed paths for this run only. Only root can do so, and not in every container. */
function hiding() {
  const works = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0
  if (!works) return []
  const files = FIXED.flatMap((folder) => OUT_OF_REACH.map((name) => join(folder, name))).filter(existsSync)
  const covers = [
    ...files.map((file) => `mount --bind /dev/null '${file}'`),
    ...(existsSync(DEBIAN_POSTGRES) ? [`mount -t tmpfs none '${DEBIAN_POSTGRES}'`] : []),
  ]
  return ['unshare', '--mount', 'sh', '-c', [...covers, 'exec "$@"'].join('; '), 'sh']
}

/** Whether another user may read the workspace; a workspace below the home folder of root is closed to other users. */
function nobodyCanTest() {
  const nobody = ['--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups', '--']
  const entry = join(root, 'node_modules', '.bin', 'vitest')
  return (
    spawnSync('setpriv', [...nobody, process.execPath, '-e', `require('fs').readFileSync(${JSON.stringify(entry)})`])
      .status === 0
  )
}
