/** Before the first test: the figures of another run are not of this one. */
import { clearFigures } from "./Figures.ts"

export default clearFigures
