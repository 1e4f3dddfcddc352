import { type AdminClient, createAdmin, type Project } from '@matchyard/client/admin'
import { signal } from '@preact/signals'
import { mintKeys, type PageKeys } from './keys'
import { fetchHere, network } from './network'
import { forget, type Session } from './session'
import { Store } from './store'
import { part, Wire } from './wire'

/** The open project, with its keys, clients and live data. */
export interface OpenProject {
  readonly project: Project
  /** Client key for the players of the playground; empty for roles that may not play. It is revoked when the page closes. */
  readonly clientKey: string
  /**
   * Server key of `admin`. The playground calls the service for its test players with this key when the project
   * requires player tokens. It is revoked when the page closes.
   */
  readonly serverKey: string
  /** Client with the server key: for all resources of the project. */
  readonly admin: AdminClient
  /** Client with the session, for usage, for the project itself, and for the settings of player proof. */
  readonly account: AdminClient
  /** Client with the server key, for calls that `admin` does not have. */
  readonly wire: Wire
  /** Session of the account, for calls that `account` does not have. */
  readonly session: Session
  /** Live entities of the project. */
  readonly store: Store
  /** Closes the feed and revokes both keys. Resolves when the service has answered both calls. */
  close(): Promise<unknown>
}

/** The open project; undefined while no project is open. */
export const opened = signal<OpenProject | undefined>(undefined)

export async function openProject(session: Session, project: Project): Promise<OpenProject> {
  const keys = await mintKeys(session, project)
  return openWith(session, project, keys)
}

/** Opens a project with existing keys. */
export function openWith(session: Session, project: Project, keys: PageKeys): OpenProject {
  const wire = new Wire({ 'api-key': keys.serverKey })
  const store = new Store(wire, () => forget('The keys of this page were revoked. Sign in again.'))
  const same = {
    baseUrl: network().baseUrl,
    platform: { fetch: fetchHere },
    // Retries end after 3 seconds, because a user's click should fail soon when the service does not answer.
    retryForMs: 3_000,
    log: () => {},
  }
  const admin = createAdmin({ ...same, serverKey: keys.serverKey })
  const account = createAdmin({ ...same, session: session.token, projectId: project.project_id })
  return {
    project,
    clientKey: keys.clientKey,
    serverKey: keys.serverKey,
    admin,
    account,
    wire,
    session,
    store,
    close() {
      store.close()
      return keys.revoke()
    },
  }
}

/**
 * Returns the project that opens after sign-in: the project that was open last, or otherwise the first project of the
 * list.
 */
export const preferred = (projects: readonly Project[]): Project | undefined =>
  projects.find(({ project_id }) => project_id === remembered()) ?? projects[0]

export const listProjects = async ({ wire }: Session): Promise<readonly Project[]> => {
  const all: Project[] = []
  for await (const page of wire.pages<Project>('/v1/projects', {}, 1_000)) all.push(...page)
  return all
}

export const createProject = ({ wire }: Session, name: string): Promise<Project> => wire.post('/v1/projects', { name })

export const getProject = ({ wire }: Session, id: string): Promise<Project> => wire.get(`/v1/projects/${part(id)}`)

const REMEMBERED = 'matchyard.project'

function remembered(): string | null {
  try {
    return localStorage.getItem(REMEMBERED)
  } catch {
    return null
  }
}

export function remember(id: string): void {
  try {
    localStorage.setItem(REMEMBERED, id)
  } catch {}
}
