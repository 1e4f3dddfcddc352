export { FixtureStore, fixtureBuild, fixtureFiles } from './fixture-store'
export { type Killable, type Kills, killDuringLaunches } from './service-kills'
