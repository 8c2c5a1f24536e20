import { render } from 'preact';
import { App } from './app.tsx';
import { ReviewModel } from './model.ts';
import './review.css';

const container = document.querySelector('#review');
if (container) render(<App model={new ReviewModel(acquireVsCodeApi(), window)} />, container);
