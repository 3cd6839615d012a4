/** Events with which readers scroll, or take over the scrolling. */
export const SCROLL_INPUTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;
