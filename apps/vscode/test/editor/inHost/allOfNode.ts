/** All that is asked inside the extension host of Node, in one window. */
import { run as activation } from "./activation.ts"
import { run as cells } from "./cells.ts"
import { run as features } from "./features.ts"
import { inTurn } from "./inTurn.ts"
import { run as ownPlugins } from "./ownPlugins.ts"

export const run = (): Promise<void> => inTurn(activation, features, cells, ownPlugins)
