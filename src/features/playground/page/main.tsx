import { render } from 'preact';
import { Playground } from './app.tsx';
import { PlaygroundModel } from './model.ts';
import './playground.css';

const place = document.querySelector('#playground');
if (place) render(<Playground model={new PlaygroundModel(acquireVsCodeApi(), window)} />, place);
