import { render } from 'preact';
import { Playground } from './app.tsx';
import { PlaygroundModel } from './model.ts';
import './playground.css';

const container = document.querySelector('#playground');
if (container) render(<Playground model={new PlaygroundModel(acquireVsCodeApi(), window)} />, container);
