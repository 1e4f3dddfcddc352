import { expect, test } from 'vitest'
import { controlPlane } from './service'

type Plane = Awaited<ReturnType<typeof controlPlane>>
type Owner = { readonly accountId: string; readonly projectId: string }

async function join({ matchyard }: Plane, { accountId, projectId }: Owner, joining: string): Promise<unknown> {
  const { token, invitation } = await matchyard.members.invite({ accountId, projectId, role: 'developer' })
  return matchyard.members.join({ token: token ?? '', accountId: joining }).catch(async (error: unknown) => {
    await matchyard.members.cancelInvitation({ accountId, projectId, invitationId: invitation.id })
    throw error
  })
}

test('a project has at most 100 members, and room again after a removal', async () => {
  const plane = await controlPlane()
  const owner = await plane.project()
  const { matchyard } = plane
  const people: string[] = []
  for (let n = 0; n <= 100; n++) people.push((await plane.account()).accountId)
  for (const one of people.slice(0, 100)) await join(plane, owner, one)
  const past = join(plane, owner, people[100] ?? '')
  await expect(past).rejects.toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED', details: { limit: 'max_members' } })
  const { accountId, projectId } = owner
  await matchyard.members.remove({ accountId, projectId, memberAccountId: people[0] ?? '' })
  await join(plane, owner, people[100] ?? '')
  expect((await matchyard.members.list({ accountId, projectId })).members).toHaveLength(101)
})

test('an account is a member of at most 100 projects', async () => {
  const plane = await controlPlane()
  const { accountId } = await plane.account('pro')
  const { accountId: eve } = await plane.account()
  const { matchyard } = plane
  const projects: string[] = []
  for (let n = 0; n <= 100; n++) {
    const { project } = await matchyard.projects.create({ accountId, name: `P ${n}` })
    projects.push(project.id)
  }
  for (const projectId of projects.slice(0, 100)) await join(plane, { accountId, projectId }, eve)
  const past = join(plane, { accountId, projectId: projects[100] ?? '' }, eve)
  await expect(past).rejects.toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED', details: { limit: 'max_grants' } })
  // A project that is deleted gives its place back when its rows are removed.
  await matchyard.projects.delete({ accountId, projectId: projects[0] ?? '' })
  await plane.settle()
  await join(plane, { accountId, projectId: projects[100] ?? '' }, eve)
  expect(await plane.matchyard.projects.list({ accountId: eve })).toMatchObject({ total: 100 })
})

test('a member holds at most 200 valid server keys, and a removal revokes all of them in one commit', async () => {
  const plane = await controlPlane()
  const { accountId, projectId } = await plane.project()
  const { accountId: eve } = await plane.account()
  await join(plane, { accountId, projectId }, eve)
  const { matchyard } = plane
  const mint = (expiresInSeconds?: number) =>
    matchyard.keys.mint({ accountId, projectId, personId: eve, type: 'server', expiresInSeconds })
  const values: (string | null)[] = []
  const { key: first } = await mint()
  for (let n = 1; n < 200; n++) values.push((await mint(n === 1 ? 60 : undefined)).value)
  await expect(mint()).rejects.toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED', details: { limit: 'max_keys_of_member' } })
  await matchyard.keys.revoke({ accountId, projectId, keyId: first.id })
  values.push((await mint()).value)
  await expect(mint()).rejects.toMatchObject({ code: 'PLAN_LIMIT_EXCEEDED' })
  plane.clock.advance(60_000)
  values.push((await mint()).value)
  await matchyard.members.remove({ accountId, projectId, memberAccountId: eve })
  for (const value of values) {
    await expect(matchyard.access.authenticateKey(value ?? '')).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  }
})
