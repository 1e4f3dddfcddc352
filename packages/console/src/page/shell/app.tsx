import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { invitation } from '../data/invitation'
import { listProjects, opened, preferred } from '../data/project'
import { go, route } from '../data/route'
import { restore, type Session, session } from '../data/session'
import { Questions } from '../ui/dialog'
import { Failed, Loading } from '../ui/states'
import { failed, Toasts } from '../ui/toast'
import { FirstProject } from './first-project'
import { Frame } from './frame'
import { JoinAnew, JoinAs } from './join'
import { SignIn } from './sign-in'
import { enter, NOT_YOURS, useProjectOfAddress } from './switch-project'

/** The console: the page of an invitation, the sign-in page, or the open project. */
export function App() {
  const { value } = session
  const { value: asked } = invitation
  return (
    <>
      {value === 'unknown' ? (
        <Restoring />
      ) : asked !== undefined ? (
        <Invited token={asked} session={value} />
      ) : value === 'nobody' ? (
        <SignIn />
      ) : (
        <SignedIn key={value.token} session={value} />
      )}
      <Questions />
      <Toasts />
    </>
  )
}

function Invited({ token, session: mine }: { readonly token: string; readonly session: Session | 'nobody' }) {
  return mine === 'nobody' ? <JoinAnew token={token} /> : <JoinAs session={mine} token={token} />
}

function Restoring() {
  const error = useSignal<unknown>(undefined)
  const ask = () => {
    error.value = undefined
    restore().catch((cause: unknown) => {
      error.value = cause
    })
  }
  useEffect(ask, [])
  return (
    <main class="alone">
      {error.value === undefined ? <Loading as="lines" count={3} /> : <Failed error={error.value} again={ask} />}
    </main>
  )
}

function SignedIn({ session: mine }: { readonly session: Session }) {
  const error = useSignal<unknown>(undefined)
  const isEmpty = useSignal(false)
  const begin = async () => {
    error.value = undefined
    try {
      const all = await listProjects(mine)
      const asked = route.peek().project
      const named = all.find(({ project_id }) => project_id === asked)
      const project = named ?? preferred(all)
      isEmpty.value = project === undefined
      if (project === undefined) return
      await enter(mine, project)
      if (asked === undefined || named !== undefined) return
      // The account cannot open the project that the link names. The path in the link belongs to that project, so the
      // start page of the opened project is shown.
      failed(new Error(NOT_YOURS))
      go()
    } catch (cause) {
      error.value = cause
    }
  }
  useEffect(() => {
    void begin()
    return leave
  }, [])
  const isThere = useProjectOfAddress(mine)
  if (opened.value !== undefined && isThere) return <Frame key={opened.value.project.project_id} />
  if (isEmpty.value) return <FirstProject session={mine} />
  return (
    <main class="alone">
      {error.value === undefined ? <Loading as="lines" count={3} /> : <Failed error={error.value} again={begin} />}
    </main>
  )
}

function leave(): void {
  void opened.value?.close()
  opened.value = undefined
}

// The keys of a page are revoked when it closes. A page that the browser restores from its cache has no valid keys, so
// it reloads.
addEventListener('pagehide', leave)
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})
