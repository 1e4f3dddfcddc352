import { isMatchyardError } from '@matchyard/client'
import type { Project } from '@matchyard/client/admin'
import { batch } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { getProject, type OpenProject, opened, openProject, remember } from '../data/project'
import { go, nameProject, route, setProject } from '../data/route'
import { type Session, signOut } from '../data/session'
import { failed } from '../ui/toast'

/** Opens a project; the keys for the one before end. Addresses name it from then on. */
export async function enter(session: Session, project: Project): Promise<void> {
  show(await openProject(session, project))
}

/** Looks at another project, from its first page on. */
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
 * Follows the address where it names another project than the one that is open, and puts that one into an address that names none.
 * Returns whether what is open is what the address names.
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

/** Said where a link leads to a project that the account does not have. */
export const NOT_YOURS = 'This account has no access to the project of the link.'

/** The keys end before the session by which they are ended. */
export function leaveAll(): void {
  const closing = opened.value?.close()
  opened.value = undefined
  signOut(closing)
}
