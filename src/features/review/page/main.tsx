import { render } from 'preact';
import { App } from './app.tsx';
import { ReviewModel } from './model.ts';
import './review.css';

const place = document.querySelector('#review');
if (place) render(<App model={new ReviewModel(acquireVsCodeApi(), window)} />, place);
