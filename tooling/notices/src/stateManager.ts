/**
 * What every bundle leaves out of the EVM library: it imports a state of its own for those who bring none, with tries and
 * databases, of which a few bytes would stay in a bundle, and with them packages that have no license text.
 */
export const stateManager = {
  path: /@ethereumjs[\\/]statemanager[\\/]dist[\\/]\w+[\\/]index\.js$/,
  instead: "export class SimpleStateManager {}",
}
