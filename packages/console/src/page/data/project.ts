import { type AdminClient, createAdmin, type Project } from '@matchyard/client/admin'
import { signal } from '@preact/signals'
import { mintKeys, type PageKeys } from './keys'
import { fetchHere, network } from './network'
import { forget, type Session } from './session'
import { Store } from './store'
import { part, Wire } from './wire'

/** A project that is looked at, with everything that calls about it. */
export interface OpenProject {
  readonly project: Project
  /** For a player's client: the playground's, and the lines to copy. It ends with the page. */
  readonly clientKey: string
  /** The key of `admin`, for what acts as a player that nobody else can prove. It ends with the page. */
  readonly serverKey: string
  /** All of the project, with a server key. */
  readonly admin: AdminClient
  /** Client with the session: for usage, the project itself, and player proof. */
  readonly account: AdminClient
  /** Calls with the server key that the admin client lacks. */
  readonly wire: Wire
  /** Calls with the session that the admin client lacks. */
  readonly session: Session
  /** Live entities of the project. */
  readonly store: Store
  /** Follows nothing any more; ends when its keys have. */
  close(): Promise<unknown>
}

/** The project that is open. */
export const opened = signal<OpenProject | undefined>(undefined)

export async function openProject(session: Session, project: Project): Promise<OpenProject> {
  const keys = await mintKeys(session, project.project_id)
  return openWith(session, project, keys)
}

/** With keys that are there already. */
export function openWith(session: Session, project: Project, keys: PageKeys): OpenProject {
  const wire = new Wire({ 'api-key': keys.serverKey })
  const store = new Store(wire, () => forget('The keys of this page were revoked. Sign in again.'))
  const same = {
    baseUrl: network().baseUrl,
    platform: { fetch: fetchHere },
    // A click must fail soon when nothing answers.
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

/** Which one is opened first after signing in: the one of the last time, else the newest. */
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
