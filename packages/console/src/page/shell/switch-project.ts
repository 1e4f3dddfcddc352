import type { Project } from '@matchyard/client/admin'
import { opened, openProject, remember } from '../data/project'
import { go } from '../data/route'
import { type Session, signOut } from '../data/session'

/** Looks at another project: the keys for the one before end. */
export async function switchTo(session: Session, project: Project): Promise<void> {
  const next = await openProject(session, project)
  void opened.value?.close()
  remember(project.project_id)
  go()
  opened.value = next
}

/** The keys end before the session by which they are ended. */
export function leaveAll(): void {
  const closing = opened.value?.close()
  opened.value = undefined
  signOut(closing)
}
