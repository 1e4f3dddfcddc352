import { isMatchyardError } from '@matchyard/client'
import type { Project } from '@matchyard/client/admin'
import { batch } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { getProject, type OpenProject, opened, openProject, remember } from '../data/project'
import { go, nameProject, route, setProject } from '../data/route'
import { type Session, signOut } from '../data/session'
import { failed } from '../ui/toast'

/**
 * Opens a project, and revokes the keys for the project that was open before. From then on, addresses name the new
 * project.
 */
export async function enter(session: Session, project: Project): Promise<void> {
  show(await openProject(session, project))
}

/** Opens another project at its start page. */
export async function switchTo(session: Session, project: Project): Promise<void> {
  const next = await openProject(session, project)
  batch(() => {
    show(next)
    go()
  })
}

function show(next: OpenProject): void {
  void opened.value?.close()
  remember(next.project.project_id)
  nameProject(next.project.project_id)
  opened.value = next
}

/**
 * Opens the project that the address names. If the address names no project, the open project is added to the address.
 * Returns false while the address names another project than the open project.
 */
export function useProjectOfAddress(session: Session): boolean {
  const { project: asked } = route.value
  const here = opened.value?.project.project_id
  const isThere = asked === undefined || asked === here
  useEffect(() => {
    if (here === undefined) return undefined
    if (asked === undefined) setProject()
    if (isThere) return undefined
    let over = false
    getProject(session, asked)
      .then((project) => (over ? undefined : enter(session, project)))
      .catch((error: unknown) => {
        if (over) return
        failed(isMatchyardError(error, 'PROJECT_NOT_FOUND') ? new Error(NOT_YOURS) : error)
        go()
      })
    return () => {
      over = true
    }
  }, [session, asked, here])
  return isThere
}

/** Message for a link to a project that the account cannot open. */
export const NOT_YOURS = 'This account has no access to the project in the link.'

/** Signs out. The keys are revoked before the session ends, because the revocation needs the session. */
export function leaveAll(): void {
  const closing = opened.value?.close()
  opened.value = undefined
  signOut(closing)
}
